export type Theme = 'system' | 'light' | 'dark'

export const theme = (): Theme => (localStorage.getItem('theme') as Theme | null) ?? 'system'

// setTheme remembers a theme, and shows it.
export function setTheme(next: Theme) {
  localStorage.setItem('theme', next)
  apply()
}

export function apply() {
  const t = theme()
  if (t === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = t
}
