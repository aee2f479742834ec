'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { cn } from '@/components/ui/cn'
import { type Tone, toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import { read } from '@/lib/client/queries'
import { type Passing, wouldPass } from '@/lib/domain/limit-passing'
import type { LimitUsage } from '@/lib/domain/limit-usage'
import { type LimitSet, type LimitType, typeWords } from '@/lib/domain/limit-words'
import { formatMinor } from '@/lib/money'
import { recordPath } from '@/lib/routes'
import type { AccountScope } from './limit-reads'

const looks: Record<Passing['verdict'], { tone: Tone; word: string }> = {
  passes: { tone: 'good', word: 'would have passed' },
  held: { tone: 'held', word: 'still held' },
  unknown: { tone: 'unknown', word: 'cannot be told' },
}

const shown = 8

type WouldPassProps = { type: LimitType; scope: AccountScope; limits: LimitSet; usage: LimitUsage }

/** Which of the payments that are held for a limit would have passed under the limits that are typed. It moves none of them. */
export function WouldPass({ type, scope, limits, usage }: WouldPassProps) {
  const { amountUnit, environment } = useDesk()
  const { many, payment } = typeWords[type]
  const held = useQuery(
    read(scope, 'payments.search', {
      payment_type: payment,
      payment_status: 'on_hold',
      status_reason: 'amount_too_large',
      page_size: 200,
      sort_by: 'created_at',
      sort_order: 'asc',
    }),
  )
  if (held.isPending) return <p className="text-ink-3 text-xs">Reading the {many} that are held for a limit…</p>
  if (held.error && !held.data)
    return (
      <p className="text-ink-2 text-xs">
        The {many} that are held could not be read: {held.error.message}
      </p>
    )
  const judged = wouldPass(held.data.data, limits, usage, amountUnit)
  if (judged.length === 0) return <p className="text-ink-3 text-xs">No {typeWords[type].one} of this account is held for a limit now.</p>
  const passing = judged.filter((each) => each.verdict === 'passes').length
  const total = held.data.meta.total_items ?? judged.length
  return (
    <section aria-label="Held payments under these limits" className="grid gap-1">
      <p>
        <span className="font-medium">
          {passing} of {judged.length} held {many}
        </span>{' '}
        would have passed. They are not released by it: each is still decided by a person.
        {total > judged.length && ` ${total - judged.length} more are not judged here.`}
      </p>
      <ul className="grid gap-x-4 sm:grid-cols-2">
        {judged.slice(0, shown).map((each) => (
          <li key={each.id} className="flex min-h-6 items-baseline gap-1.5">
            <ToneShape tone={looks[each.verdict].tone} className={cn('size-3.5 self-center', toneText[looks[each.verdict].tone])} />
            <Link
              href={recordPath(environment, type, each.id, { account: scope.account })}
              className="font-medium tabular-nums hover:underline"
            >
              {each.amount === null ? 'amount unclear' : formatMinor(each.amount)}
            </Link>
            <span className="truncate text-ink-2 text-xs" title={each.why}>
              {looks[each.verdict].word}
              {each.why && `: ${each.why}`}
            </span>
          </li>
        ))}
      </ul>
      {judged.length > shown && <p className="text-ink-3 text-xs">and {judged.length - shown} more</p>}
    </section>
  )
}
