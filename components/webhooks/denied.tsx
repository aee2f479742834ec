import { EmptyState } from '@/components/kits/feedback/empty-state'

export const WebhooksDeniedNotice = () => (
  <EmptyState level={1} tone="bad" title="You don’t have access to webhooks">
    <p>Only an admin of the whole platform can see webhooks. An admin can grant this role.</p>
  </EmptyState>
)
