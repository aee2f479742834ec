import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { statusWords } from '@/lib/domain/status'
import { formatMinor } from '@/lib/money'
import type { DeletionCertificate, Tally } from '@/lib/operations/deletion'
import { countWords } from './count-words'

const tallyText = (kind: 'paykey' | 'payment', tallies: readonly Tally[]): string =>
  tallies
    .map(({ status, count, sum }) => {
      const money = kind === 'payment' && sum !== null ? ` (${formatMinor(sum)} USD)` : ''
      return `${count} ${statusWords(kind, status).label.toLowerCase()}${money}`
    })
    .join(', ') || 'none'

/** What the deletion touched, as read just before it was sent, and what was erased here after it. */
export function CertificateFigures({ certificate: { impact, purged } }: { certificate: DeletionCertificate }) {
  return (
    <Panel title="What it touched">
      <Facts>
        <Fact name="Bank accounts">{impact && tallyText('paykey', impact.paykeys)}</Fact>
        <Fact name="Payouts">{impact && tallyText('payment', impact.payouts)}</Fact>
        <Fact name="Charges">{impact && tallyText('payment', impact.charges)}</Fact>
        <Fact name="Erased here">
          Contents of {countWords(purged.actions, 'action')}, names of {countWords(purged.uploads, 'file')},{' '}
          {countWords(purged.index, 'index entry', 'index entries')}, {countWords(purged.views, 'saved view')},{' '}
          {countWords(purged.texts, 'sentence')} elsewhere, {countWords(purged.calls, 'error text')}.
        </Fact>
      </Facts>
      {impact?.partial && <p className="mt-2 text-held">There were more payments than were counted.</p>}
    </Panel>
  )
}
