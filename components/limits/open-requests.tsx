import Link from 'next/link'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { StatusBadge } from '@/components/ui/status-badge'
import type { LimitRequestView } from '@/lib/domain/limit-request'
import { requestWords, staleAfter, threeWayText } from '@/lib/domain/limit-tracking'
import { typeWords } from '@/lib/domain/limit-words'

export type OpenRequest = { request: LimitRequestView; name: string; href: string }

/** The requests that are not done, oldest first, each with the account it is for and what it waits for. */
export const OpenRequests = ({ open }: { open: readonly OpenRequest[] }) => (
  <ul className="grid gap-2">
    {open.map(({ request, name, href }) => {
      const words = requestWords[request.tracking.state]
      return (
        <li key={request.id} className="group relative grid gap-1 rounded border border-line bg-surface px-3 py-2 hover:bg-sunken">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link href={href} prefetch={false} className="font-medium after:absolute after:inset-0 group-hover:underline">
              <bdi>{name}</bdi>, {typeWords[request.type].many}
            </Link>
            <StatusBadge tone={words.tone}>{words.label}</StatusBadge>
            <span className="text-ink-3 text-xs">
              {request.own ? 'you' : request.asked_by}, <RelativeTime at={request.created_at} />
              {request.tracking.isOpen && `, ${request.tracking.bankingDays} of ${staleAfter} banking days`}
            </span>
          </p>
          <p className="text-ink-2">{request.tracking.limits.map(threeWayText).join('; ')}</p>
        </li>
      )
    })}
  </ul>
)
