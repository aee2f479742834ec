'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import { QueryProvider } from '@/lib/client/query-provider'
import { type FoundId, idIn } from './id-in'
import { LookupHit } from './lookup-hit'
import { useLookup } from './use-lookup'

/** What an id turned out to be, in the present scope, and where was looked. */
export function LookupPanel({ asked, onDone }: { asked: string; onDone: () => void }) {
  const found = idIn(asked)
  const desk = useDesk()
  if (!found) {
    return (
      <p role="status" className="text-ink-2 text-sm">
        Only ids can be searched here: paste the whole id of a payout, charge, customer, paykey or account, like{' '}
        <code className="font-mono text-xs">018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f</code> or{' '}
        <code className="font-mono text-xs">acct_018f4c1e-…</code>
      </p>
    )
  }
  if (desk.needsAccount && !found.isAccount) {
    return <p className="text-ink-2 text-sm">Choose an account first: you may look into single accounts, not the whole platform.</p>
  }
  return (
    <QueryProvider>
      <Lookup found={found} onDone={onDone} />
    </QueryProvider>
  )
}

function Lookup({ found, onDone }: { found: FoundId; onDone: () => void }) {
  const desk = useDesk()
  const { hits, failures, busy, searched } = useLookup(found)
  const scope = desk.account ? accountName(desk, desk.account) : 'the whole platform'
  return (
    <div className="grid gap-3" aria-busy={busy}>
      {hits.length > 0 && (
        <ul className="-mx-1 grid gap-1">
          {hits.map((hit) => (
            <LookupHit key={hit.kind} hit={hit} onDone={onDone} />
          ))}
        </ul>
      )}
      <div role="status" className="grid gap-1 text-ink-3 text-xs">
        {busy && <p>Looking</p>}
        {!busy && hits.length === 0 && (
          <p className="font-medium text-ink text-sm">{failures.length > 0 ? 'Not found where we could look' : 'Nothing with this id'}</p>
        )}
        {!busy && searched.length > 0 && (
          <p>
            Searched {searched.join(', ')} in {scope}, {desk.environment}.
          </p>
        )}
        {failures.map((failure) => (
          <p key={failure.what} className="text-bad">
            Could not search {failure.what}: {failure.why}
          </p>
        ))}
        {!busy && hits.length === 0 && desk.account && <p>It may belong to another account: choose a wider scope and look again.</p>}
      </div>
    </div>
  )
}
