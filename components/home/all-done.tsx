import { EmptyState } from '@/components/kits/feedback/empty-state'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import type { CutOffTime } from '@/lib/domain/bank-time'

/** Nothing waits for anybody: every queue was read, and every one is empty. */
export const AllDone = ({ cutOff }: { cutOff: CutOffTime }) => (
  <EmptyState tone="good" title="All done" className="px-0 py-4">
    <p>
      Nothing is held, in review or unanswered. The next bank cut-off is <RelativeTime at={cutOff.at} /> ({cutOff.name}).
    </p>
  </EmptyState>
)
