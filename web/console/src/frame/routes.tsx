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
  calendar: () => import('../pages/calendar/Calendar'),
  analytics: () => import('../pages/analytics/Analytics'),
  activity: () => import('../pages/activity/Activity'),
  connections: () => import('../pages/connections/Connections'),
  settings: () => import('../pages/settings/Settings'),
} satisfies Record<string, Load>

export const places: Place[] = [
  { path: '/', title: 'Home', icon: 'home', key: 'h', load: pages.home },
  { path: '/inbox', title: 'Inbox', icon: 'inbox', key: 'i', load: pages.inbox },
  { path: '/missions', title: 'Missions', icon: 'mission', key: 'm', load: pages.missions },
  { path: '/calendar', title: 'Calendar', icon: 'calendar', key: 'c', load: pages.calendar },
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
  route('/missions', 'Missions', pages.missions),
  route('/missions/new', 'New mission', pages.create),
  route('/missions/:id/:tab?', 'Mission', pages.mission),
  route('/calendar', 'Calendar', pages.calendar),
  route('/analytics', 'Analytics', pages.analytics),
  route('/activity', 'Activity', pages.activity),
  route('/connections', 'Connections', pages.connections),
  route('/settings/:tab?/:id?', 'Settings', pages.settings),
]
