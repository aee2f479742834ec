import { centsOf } from '@/lib/money'
import { limitNames } from '@/lib/operations/enumerations'
import { reason } from '@/lib/operations/reason.schema'
import { composeReason } from './decision-reasons'
import { changedOnly, limitFindings } from './limit-change'
import { jumpFault, withJump } from './limit-reasons'
import { type LimitName, type LimitSet, type LimitType, limitWords } from './limit-words'

/** The fields of a request as they are typed; an empty limit stays as it is. `jump` is the sentence about a large step. */
export type LimitValues = Record<LimitName, string> & { code: string; text: string; typed: string; jump: string }

/** A form nobody has typed into. */
export const emptyLimitValues: LimitValues = {
  ...{ max_amount: '', daily_amount: '', monthly_amount: '', monthly_count: '' },
  ...{ code: '', text: '', typed: '', jump: '' },
}

const countOf = (typed: string): number => (/^\d{1,10}$/.test(typed) ? Number(typed) : Number.NaN)

/** The limits that are typed, in minor units; what is no amount or count is NaN, so that it is told and never sent. */
export function wishedOf(values: LimitValues): LimitSet {
  return Object.fromEntries(
    limitNames.flatMap((name) => {
      const typed = values[name].trim()
      if (typed === '') return []
      return [[name, limitWords[name].counts ? countOf(typed.replaceAll(',', '')) : (centsOf(typed) ?? Number.NaN)]]
    }),
  )
}

/** The input of `capability_requests.create`: only what differs from what is in force. */
export const limitInput = (type: LimitType, current: LimitSet, values: LimitValues): Record<string, unknown> => ({
  [type]: { enable: true, ...changedOnly(current, wishedOf(values)) },
})

/** The reason that is kept: code, sentence, and the one about a large step. */
export const limitReason = ({ code, text, jump }: LimitValues, jumps: number): string =>
  composeReason(code, jumps > 0 ? withJump(text, jump) : text)

/** What is wrong with the form, by field. */
export function limitFaults(current: LimitSet, values: LimitValues): Record<string, string> {
  const { changes, faults, jumps } = limitFindings(current, wishedOf(values))
  const found: Record<string, string> = { ...faults }
  if (changes.length === 0) found.max_amount ??= 'ask for at least one other limit'
  if (values.code === '') found.code = 'choose a reason'
  const said = reason.safeParse(composeReason(values.code || 'NONE', values.text))
  if (said.error) found.text = said.error.issues[0]?.message ?? 'say why'
  const jump = jumpFault(values.text, values.jump, jumps.length)
  if (jump) found.jump = jump
  return found
}
