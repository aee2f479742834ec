'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import { askedIn } from './asked'
import type { Lookup } from './use-lookup'

type PaletteSaidProps = { typed: string; lookup: Lookup; lines: number; onWiden: (() => void) | null }

/** What was searched, where, and what could not be: nothing found is told, never left to be guessed. */
export function PaletteSaid({ typed, lookup, lines, onWiden }: PaletteSaidProps) {
  const { account } = useDesk()
  const asked = askedIn(typed)
  const none = asked !== null && !lookup.busy && lookup.hits.length + lookup.traces.length === 0
  return (
    <div className="grid gap-1 text-ink-3 text-xs">
      <div role="status" className="grid gap-1">
        {lookup.busy ? <p>Looking</p> : <Searched lookup={lookup} none={none} />}
        {!asked && typed.trim() !== '' && lines === 0 && (
          <p className="text-sm">
            Nothing here is called that. Ids, e-mail addresses, the last four digits and words of four letters or more are looked up.
          </p>
        )}
        {!lookup.busy && <span className="sr-only">{lines} to choose from</span>}
      </div>
      {none && account && onWiden && (
        <p>
          It may belong to another account.{' '}
          <button type="button" onClick={onWiden} className="rounded-sm text-accent underline underline-offset-2">
            Look in the whole platform
          </button>
        </p>
      )}
    </div>
  )
}

function Searched({ lookup: { searched, failures }, none }: { lookup: Lookup; none: boolean }) {
  const desk = useDesk()
  const scope = desk.account ? accountName(desk, desk.account) : desk.needsAccount ? 'no account' : 'the whole platform'
  return (
    <>
      {none && (
        <p className="font-medium text-ink text-sm">{failures.length > 0 ? 'Not found where we could look' : 'No record is called that'}</p>
      )}
      {searched.length > 0 && (
        <p>
          Searched {searched.join(', ')} in {scope}, {desk.environment}.
        </p>
      )}
      {failures.map(({ what, why }) => (
        <p key={what} className="text-bad">
          Could not search {what}: {why}
        </p>
      ))}
    </>
  )
}
