import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ToneShape } from '@/components/ui/tone-shape'
import type { WorkRow } from '@/lib/domain/work'

/** Since when something waits, and until when a decision lets it leave on its day; one that missed its day is late. */
export const SinceText = ({ since, due }: Pick<WorkRow, 'since' | 'due'>) => (
  <>
    <RelativeTime at={since} show="ago" />
    {due &&
      (due.missed ? (
        <span className="ml-2 inline-flex items-baseline gap-0.5 text-bad">
          <ToneShape tone="bad" className="size-3 self-center" />
          late
          <span className="sr-only">
            , next cut-off <RelativeTime at={due.at} show="ago" />
          </span>
        </span>
      ) : (
        <span className="ml-2 text-held">
          cut-off <RelativeTime at={due.at} show="ago" />
        </span>
      ))}
  </>
)
