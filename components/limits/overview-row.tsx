import Link from 'next/link'
import { cn } from '@/components/ui/cn'
import type { Forecast } from '@/lib/domain/limit-forecast'
import { forecastText } from '@/lib/domain/limit-forecast'
import { type Headroom, shareText, shareTone } from '@/lib/domain/limit-headroom'
import { limitText, limitTypes, limitWords, typeWords } from '@/lib/domain/limit-words'
import { ShareBar } from './share-bar'

/** One payment type of an account: all limits with what is used, and when the month's amount will be used up. */
export type RoomView = { rooms: readonly Headroom[]; forecast: Forecast; maximum: number | undefined; atLeast: boolean }

/** An account of the overview and where its limits are; a type whose use could not be read says why. */
export type OverviewLine = { id: string; name: string; href: string; types: Record<'charges' | 'payouts', RoomView | { error: string }> }

/** An account in a card: both payment types side by side, each limit with a bar; the whole card leads to its limits. */
export const OverviewRow = ({ line }: { line: OverviewLine }) => (
  <li className="group relative grid gap-2 rounded border border-line bg-surface p-3 hover:bg-sunken">
    <h3 className="font-semibold text-sm">
      <Link href={line.href} prefetch={false} className="after:absolute after:inset-0 group-hover:underline">
        <bdi>{line.name}</bdi>
      </Link>
    </h3>
    <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {limitTypes.map((type) => (
        <TypeRoom key={type} title={typeWords[type].title} room={line.types[type]} />
      ))}
    </div>
  </li>
)

function TypeRoom({ title, room }: { title: string; room: RoomView | { error: string } }) {
  if ('error' in room) {
    return (
      <section aria-label={title} className="grid content-start gap-1">
        <h4 className="text-ink-3 text-xs">{title}</h4>
        <p className="text-held">What is used could not be read: {room.error}</p>
      </section>
    )
  }
  return (
    <section aria-label={title} className="grid content-start gap-1">
      <h4 className="flex justify-between gap-2 text-ink-3 text-xs">
        {title}
        <span className="tabular-nums">one up to {limitText('max_amount', room.maximum)}</span>
      </h4>
      <ul className="grid gap-1">
        {room.rooms.map((each) => (
          <Mini key={each.name} room={each} atLeast={room.atLeast} />
        ))}
      </ul>
      <p className="text-ink-3 text-xs">{forecastText(room.forecast)}</p>
    </section>
  )
}

/** One limit in a line: name, bar, share. */
function Mini({ room: { name, used, limit, share }, atLeast }: { room: Headroom; atLeast: boolean }) {
  const tone = shareTone(share)
  return (
    <li className="grid grid-cols-[7rem_minmax(2rem,1fr)_13.5rem] items-center gap-2 text-xs max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-y-1">
      <span className="text-ink-2">{limitWords[name].label}</span>
      <ShareBar share={share} className="group-hover:bg-bg max-lg:order-last max-lg:col-span-2" />
      <span className={cn('text-right tabular-nums', tone === 'bad' && 'font-medium text-bad', tone === 'held' && 'font-medium text-held')}>
        {atLeast && 'at least '}
        {limitText(name, used)} {share === null ? '(no limit stated)' : `of ${limitText(name, limit)}, ${shareText(share)}`}
      </span>
    </li>
  )
}
