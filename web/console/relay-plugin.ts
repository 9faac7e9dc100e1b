import type { Plugin } from 'vite'

const tag = /graphql`\s*(?:query|mutation|subscription|fragment)\s+(\w+)[^`]*`/g

// relay replaces each graphql tag by an import of the artifact that relay-compiler
// wrote for it. Babel's plugin does the same, and more than the console needs.
export function relay(): Plugin {
  return {
    name: 'relay',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/.*\.tsx?$/.test(id) || id.includes('__generated__') || !code.includes('graphql`')) return null
      const names = new Set<string>()
      const body = code.replace(tag, (_, name: string) => {
        names.add(name)
        return `relay_${name}`
      })
      const imports = [...names].map((name) => `import relay_${name} from '/src/__generated__/${name}.graphql.ts'`)
      return { code: `${imports.join(';')};${body}`, map: null }
    },
  }
}
