import { cn } from '@/components/ui/cn'
import type { Tone } from '@/lib/domain/status'
import { getShareTone } from '@/lib/features/limits/usage'

const fillClasses: Partial<Record<Tone, string>> = {
  good: 'fill-good-mark',
  held: 'fill-held-mark',
  bad: 'fill-bad-mark',
}

/**
 * A bar that shows a share between 0 and 1. Screen readers skip it, because the text beside it
 * states the share. It is an SVG, because the content security policy blocks the inline style that
 * a `div` needs for its width.
 */
export const ShareBar = ({ share, className }: { share: number | null; className?: string }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 100 1"
    preserveAspectRatio="none"
    className={cn('h-1.5 w-full overflow-hidden rounded-full bg-sunken', className)}
  >
    <rect
      width={Math.min(100, Math.max(share ? 0.75 : 0, (share ?? 0) * 100))}
      height={1}
      className={cn(fillClasses[getShareTone(share)], 'forced-colors:fill-[Highlight]')}
    />
  </svg>
)
