import type { Permission } from '../../core/session'

// What an agent may do by a scope, in words.
const words: Partial<Record<Permission, string>> = {
  MISSIONS_READ: 'Read missions and events',
  MISSIONS_WRITE: 'Change and run missions',
  CONTENT_READ: 'Read posts, files and replies',
  CONTENT_WRITE: 'Write and review posts',
  ANALYTICS_READ: 'Read analytics',
  INTEGRATIONS_READ: 'See which accounts are connected',
}

// scopeWords returns what a scope allows an agent.
export const scopeWords = (scope: Permission) => words[scope] ?? scope
