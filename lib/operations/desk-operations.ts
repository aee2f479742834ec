import type { DeskOperation } from './define'
import { actions } from './desk/actions'
import { approvals, policies } from './desk/approvals'
import { audit } from './desk/audit'
import { claims } from './desk/claims'
import { deletions } from './desk/deletions'
import { documents } from './desk/documents'
import { exportOperations } from './desk/exports'
import { factors, stepUps } from './desk/factors'
import { notes } from './desk/notes'
import { notifications } from './desk/notifications'
import { limits, miscOperations } from './desk/others'
import { people } from './desk/people'
import { profile } from './desk/profile'
import { views } from './desk/views'
import { webhooks } from './desk/webhooks'

/** `lib/features/operations` has the functions that run these operations. */
export const deskOperations = {
  ...views,
  ...actions,
  ...approvals,
  ...policies,
  ...people,
  ...profile,
  ...factors,
  ...stepUps,
  ...deletions,
  ...documents,
  ...limits,
  ...claims,
  ...webhooks,
  ...miscOperations,
  ...exportOperations,
  ...audit,
  ...notes,
  ...notifications,
}

export type DeskOperationId = keyof typeof deskOperations

export const deskOperationIds = Object.keys(deskOperations) as DeskOperationId[]

export const getDeskOperation = (id: DeskOperationId): DeskOperation => deskOperations[id]
