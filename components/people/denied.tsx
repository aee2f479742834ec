import { EmptyState } from '@/components/kits/feedback/empty-state'

export const PeopleDenied = () => (
  <EmptyState level={1} tone="bad" title="People are not available to you">
    <p>Only an admin of the whole platform can see who may sign in. An admin can grant this role.</p>
  </EmptyState>
)
