import 'server-only'
import type { Role } from '@/lib/operations/define'
import { env } from './env'

/** A person of the embedded demo, with the password that is shown beside the name. */
export type DemoPerson = { email: string; name: string; roles: readonly Role[]; password: string }

const password = 'paydesk-demo'
const people: readonly DemoPerson[] = [
  { email: 'admin@paydesk.test', name: 'Dana Admin', roles: ['admin'], password },
  { email: 'operator@paydesk.test', name: 'Omar Operator', roles: ['operator'], password },
  { email: 'reviewer@paydesk.test', name: 'Rhea Reviewer', roles: ['reviewer'], password },
  { email: 'viewer@paydesk.test', name: 'Vic Viewer', roles: ['viewer'], password },
]

/** The demo people; empty unless the embedded sandbox runs beside us. */
export const demoPeople = (): readonly DemoPerson[] => (env().embedded ? people : [])
