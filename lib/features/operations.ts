import 'server-only'
import { actionRuns, requestRuns } from '@/lib/features/activity/server/operations'
import { approvalRuns } from '@/lib/features/approvals/server/operations'
import { policyRuns } from '@/lib/features/approvals/server/policies'
import { auditRuns } from '@/lib/features/audit/server/operations'
import { claimRuns } from '@/lib/features/claims/server/claims'
import { deletionRuns } from '@/lib/features/deletions/server/operations'
import { exportRuns } from '@/lib/features/exports/server/operations'
import { factorRuns } from '@/lib/features/factors/server/operations'
import { queueRuns } from '@/lib/features/home/server/queues'
import { limitRuns } from '@/lib/features/limits/server/requests'
import { noteRuns } from '@/lib/features/notes/server/operations'
import { notificationRuns } from '@/lib/features/notifications/server/operations'
import { peopleRuns } from '@/lib/features/people/server/operations'
import { profileRuns } from '@/lib/features/profile/server/operations'
import { searchRuns } from '@/lib/features/search/server/find'
import { rateBudgetRuns, serviceCheckRuns } from '@/lib/features/settings/server/service-settings'
import { viewRuns } from '@/lib/features/views/server/saved-views'
import { webhookRuns } from '@/lib/features/webhooks/server/operations'
import { choiceRuns } from '@/lib/server/http/account-choices'
import type { OperationRuns } from '@/lib/server/http/desk-call'
import { eventRuns } from '@/lib/server/http/events'
import { stepUpRuns } from '@/lib/server/http/step-ups'

/** An operation without a function is a type error. */
export const deskOperationRuns: OperationRuns = {
  ...viewRuns,
  ...actionRuns,
  ...approvalRuns,
  ...policyRuns,
  ...peopleRuns,
  ...profileRuns,
  ...factorRuns,
  ...stepUpRuns,
  ...claimRuns,
  ...deletionRuns,
  ...limitRuns,
  ...choiceRuns,
  ...eventRuns,
  ...searchRuns,
  ...queueRuns,
  ...requestRuns,
  ...serviceCheckRuns,
  ...rateBudgetRuns,
  ...exportRuns,
  ...webhookRuns,
  ...auditRuns,
  ...noteRuns,
  ...notificationRuns,
}
