import { cn } from '@/components/ui/cn'
import { type Headroom, shareText, shareTone } from '@/lib/domain/limit-headroom'
import { limitText } from '@/lib/domain/limit-words'
import { ShareBar } from './share-bar'

/** How much of a limit is used, drawn and in words; what was not read completely says "at least". */
export function HeadroomBar({ room, atLeast }: { room: Headroom; atLeast: boolean }) {
  const { name, used, limit, left, share } = room
  const least = atLeast ? 'at least ' : ''
  if (share === null || left === null)
    return (
      <p className="text-ink-2 text-xs">
        {least}
        {limitText(name, used)} used; no such limit is stated
      </p>
    )
  const tone = shareTone(share)
  const words = left < 0 ? `${limitText(name, -left)} over` : `${atLeast ? 'at most ' : ''}${limitText(name, left)} left`
  return (
    <div className="grid gap-1">
      <ShareBar share={share} />
      <p className={cn('text-xs', tone === 'good' ? 'text-ink-2' : tone === 'held' ? 'font-medium text-held' : 'font-medium text-bad')}>
        {least}
        {limitText(name, used)} used of {limitText(name, limit)} ({shareText(share)}), {words}
      </p>
    </div>
  )
}
