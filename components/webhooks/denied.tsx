import { EmptyState } from '@/components/kits/feedback/empty-state'

export const WebhooksDenied = () => (
  <EmptyState level={1} tone="bad" title="The webhooks are not available to you">
    <p>Only an admin of the whole platform can see webhooks. An admin can grant this role.</p>
  </EmptyState>
)
