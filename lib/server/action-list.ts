import 'server-only'
import type { ActionView } from '@/lib/operations/answer'
import { actionsOnTarget } from './actions/views'
import type { Desk } from './desk'

/** The actions on one object (`payouts/<uuid>`), newest first, for a page whose desk was opened. */
export const actionsOn = (desk: Desk, target: string): Promise<ActionView[]> => actionsOnTarget(desk.environment, target, desk.person.id)
