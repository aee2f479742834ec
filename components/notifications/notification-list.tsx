import { EmptyState } from '@/components/kits/feedback/empty-state'
import { Link } from '@/components/kits/layout/link'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import type { Notification, NotificationEvent } from '@/lib/operations/notifications'
import type { PageContext } from '@/lib/operations/page-context'
import { deskPath } from '@/lib/routes'

const toneByEvent: Readonly<Record<NotificationEvent, Tone>> = {
  question: 'held',
  approval: 'held',
  waits: 'neutral',
  unknown: 'held',
  key: 'bad',
  sync: 'bad',
  webhooks: 'bad',
  people: 'held',
  digest: 'neutral',
}

/** A notification disappears when the person resolves it on the page that it links to. */
export function NotificationList({
  context,
  notifications,
}: {
  context: PageContext
  notifications: readonly Notification[]
}) {
  if (notifications.length === 0) {
    return (
      <EmptyState title="Nothing to tell you" className="py-4">
        <p>Work for you is listed here until it is done.</p>
      </EmptyState>
    )
  }
  return (
    <ul aria-label="Notifications" className="grid text-sm">
      {notifications.map(({ key, event, title, line, since, path }) => (
        <li key={key} className="border-line border-b last:border-b-0">
          <Link
            href={deskPath(context, path as `/${string}`)}
            className="group flex items-start gap-2 py-2 hover:bg-sunken"
          >
            <ToneIcon
              tone={toneByEvent[event]}
              className={`mt-1 size-3 shrink-0 ${toneTextClasses[toneByEvent[event]]}`}
            />
            <span className="grid min-w-0 flex-1">
              <span className="font-medium text-accent group-hover:underline">{title}</span>
              <span className="text-ink-2 text-xs">{line}</span>
            </span>
            {since && (
              <RelativeTime at={since} show="ago" className="shrink-0 text-ink-3 text-xs" />
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
