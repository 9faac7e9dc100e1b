import { type ComponentType, lazy } from 'react'
import type { IconName } from '../ui/icons'

type Load = () => Promise<{ default: ComponentType }>

// Place is a page of the navigation. key is the letter after g.
export type Place = { path: string; title: string; icon: IconName; key: string; load: Load; more?: boolean }

const pages = {
  home: () => import('../pages/home/Home'),
  missions: () => import('../pages/missions/Missions'),
  mission: () => import('../pages/mission/Mission'),
  create: () => import('../pages/new/New'),
  inbox: () => import('../pages/inbox/Inbox'),
  replies: () => import('../pages/replies/Replies'),
  calendar: () => import('../pages/calendar/Calendar'),
  analytics: () => import('../pages/analytics/Analytics'),
  activity: () => import('../pages/activity/Activity'),
  library: () => import('../pages/library/Library'),
  connections: () => import('../pages/connections/Connections'),
  posts: () => import('../pages/posts/Table'),
  post: () => import('../pages/post/Page'),
  settings: () => import('../pages/settings/Settings'),
  authorize: () => import('../pages/agents/Authorize'),
} satisfies Record<string, Load>

export const places: Place[] = [
  { path: '/', title: 'Home', icon: 'home', key: 'h', load: pages.home },
  { path: '/inbox', title: 'Inbox', icon: 'inbox', key: 'i', load: pages.inbox },
  { path: '/replies', title: 'Replies', icon: 'reply', key: 'y', load: pages.replies, more: true },
  { path: '/missions', title: 'Missions', icon: 'mission', key: 'm', load: pages.missions },
  { path: '/posts', title: 'Posts', icon: 'edit', key: 'o', load: pages.posts, more: true },
  { path: '/calendar', title: 'Calendar', icon: 'calendar', key: 'c', load: pages.calendar },
  { path: '/library', title: 'Library', icon: 'picture', key: 'l', load: pages.library, more: true },
  { path: '/analytics', title: 'Analytics', icon: 'chart', key: 'a', load: pages.analytics, more: true },
  { path: '/activity', title: 'Activity', icon: 'activity', key: 'e', load: pages.activity, more: true },
  { path: '/connections', title: 'Connections', icon: 'plug', key: 'p', load: pages.connections, more: true },
  { path: '/settings', title: 'Settings', icon: 'settings', key: 's', load: pages.settings, more: true },
]

const route = (path: string, title: string, load: Load) => ({ path, title, load, page: lazy(load) })

// The first that matches is shown.
export const routes: { path: string; title: string; load: Load; page: ComponentType }[] = [
  route('/', 'Home', pages.home),
  route('/inbox/:id?', 'Inbox', pages.inbox),
  route('/replies', 'Replies', pages.replies),
  route('/missions', 'Missions', pages.missions),
  route('/missions/new', 'New mission', pages.create),
  route('/missions/:id/:tab?', 'Mission', pages.mission),
  route('/posts', 'Posts', pages.posts),
  route('/posts/:id', 'Post', pages.post),
  route('/calendar', 'Calendar', pages.calendar),
  route('/library', 'Library', pages.library),
  route('/analytics', 'Analytics', pages.analytics),
  route('/activity', 'Activity', pages.activity),
  route('/connections', 'Connections', pages.connections),
  route('/agents/authorize', 'Connect an application', pages.authorize),
  route('/settings/:tab?/:id?', 'Settings', pages.settings),
]
