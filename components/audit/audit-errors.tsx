import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import type { WireError } from '@/lib/errors'

export const AuditDeniedNotice = () => (
  <EmptyState level={1} tone="bad" title="You don’t have access to the audit">
    <p>Reviewers and admins can read the audit. An admin can grant one of these roles.</p>
  </EmptyState>
)

export const AuditFailedNotice = ({ error }: { error: WireError }) => (
  <>
    <h1 className="sr-only">Audit</h1>
    <ErrorNotice what="The audit could not be read" error={error} requestId="" />
  </>
)
