import 'server-only'
import { actionHandlers, requestLogHandlers } from '@/lib/features/activity/server/operations'
import { approvalHandlers } from '@/lib/features/approvals/server/operations'
import { policyHandlers } from '@/lib/features/approvals/server/policies'
import { auditHandlers } from '@/lib/features/audit/server/operations'
import { claimHandlers } from '@/lib/features/claims/server/claims'
import { deletionHandlers } from '@/lib/features/deletions/server/operations'
import { exportHandlers } from '@/lib/features/exports/server/operations'
import { factorHandlers } from '@/lib/features/factors/server/operations'
import { queueHandlers } from '@/lib/features/home/server/queue-counts'
import { limitHandlers } from '@/lib/features/limits/server/requests'
import { noteHandlers } from '@/lib/features/notes/server/operations'
import { notificationHandlers } from '@/lib/features/notifications/server/operations'
import { documentHandlers } from '@/lib/features/payments/server/documents'
import { peopleHandlers } from '@/lib/features/people/server/operations'
import { profileHandlers } from '@/lib/features/profile/server/operations'
import { searchHandlers } from '@/lib/features/search/server/find'
import {
  rateBudgetHandlers,
  serviceCheckHandlers,
} from '@/lib/features/settings/server/service-settings'
import { viewHandlers } from '@/lib/features/views/server/saved-views'
import { webhookHandlers } from '@/lib/features/webhooks/server/operations'
import { accountChoiceHandlers } from '@/lib/server/http/account-choices'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { eventStreamHandlers } from '@/lib/server/http/events'
import { stepUpHandlers } from '@/lib/server/http/step-ups'

/** An operation without a function is a type error. */
export const deskOperationHandlers: DeskOperationHandlers = {
  ...viewHandlers,
  ...actionHandlers,
  ...approvalHandlers,
  ...policyHandlers,
  ...peopleHandlers,
  ...profileHandlers,
  ...factorHandlers,
  ...stepUpHandlers,
  ...claimHandlers,
  ...deletionHandlers,
  ...documentHandlers,
  ...limitHandlers,
  ...accountChoiceHandlers,
  ...eventStreamHandlers,
  ...searchHandlers,
  ...queueHandlers,
  ...requestLogHandlers,
  ...serviceCheckHandlers,
  ...rateBudgetHandlers,
  ...exportHandlers,
  ...webhookHandlers,
  ...auditHandlers,
  ...noteHandlers,
  ...notificationHandlers,
}
