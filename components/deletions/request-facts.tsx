import { Fact, Facts } from '@/components/kits/layout/facts'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { dayText } from '@/lib/dates'
import { askerWords, basisWords, identityCheckWords, wordOf } from '@/lib/domain/deletion-grounds'
import type { DeletionView } from '@/lib/operations/deletion'

/** Who asks, on which ground, how that was checked, until when. */
export const RequestFacts = ({ request }: { request: DeletionView }) => (
  <Facts>
    <Fact name="Who asks">{wordOf(askerWords, request.asker)}</Fact>
    <Fact name="Legal ground">{wordOf(basisWords, request.basis)}</Fact>
    <Fact name="Identity">{wordOf(identityCheckWords, request.identity_check)}</Fact>
    <Fact name="Ticket">{request.ticket ? <bdi className="font-mono text-xs">{request.ticket}</bdi> : 'none'}</Fact>
    <Fact name="Due">{request.due_on ? dayText(request.due_on) : 'no day set'}</Fact>
    <Fact name="Asked by">
      {request.own ? 'you' : request.requested_by}, <RelativeTime at={request.created_at} />
    </Fact>
  </Facts>
)
