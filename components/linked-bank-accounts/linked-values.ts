import { type Purpose, purposeList } from '@/lib/domain/linked-bank-rules'
import { type MetadataLine, metadataFault, metadataLines, metadataOf } from '@/lib/domain/metadata-rules'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'

/** What both forms hold, as typed. `again` is the account number typed a second time. */
export type NumberValues = {
  bank_account: { account_holder: string; routing_number: string; account_number: string }
  again: string
  metadata: MetadataLine[]
}

/** What the form of a new one holds besides; `owner` is a bare account id, `platform`, or empty while nothing is chosen. */
export type LinkedValues = NumberValues & { owner: string; purposes: Record<Purpose, boolean>; description: string }

/** Fields that are kept in no draft: a number must not outlast its form. */
export const secretFields = ['bank_account.routing_number', 'bank_account.account_number', 'again'] as const

/** A bank account nobody knows yet. */
export const newValues = (owner: string): LinkedValues => ({
  owner,
  bank_account: { account_holder: '', routing_number: '', account_number: '' },
  again: '',
  purposes: { charges: false, payouts: false, billing: false },
  description: '',
  metadata: [],
})

/** What is known of a bank account. Its numbers are masked, so they begin empty: a mask must never be sent as a number. */
export const valuesOf = (linked: LinkedBankAccount): NumberValues => ({
  bank_account: { account_holder: linked.bank_account?.account_holder ?? '', routing_number: '', account_number: '' },
  again: '',
  metadata: metadataLines(linked.metadata),
})

/** Digits without the spaces and hyphens people put between them; anything else stays, so that it is refused. */
export const digitsOf = (typed: string) => typed.replace(/[\s-]/g, '')

/** The bank account as it is sent. */
export const bankInput = ({ bank_account: { account_holder, routing_number, account_number } }: NumberValues) => ({
  account_holder,
  routing_number: digitsOf(routing_number),
  account_number: digitsOf(account_number),
})

/** The purposes that are ticked, in the order people see. */
export const ticked = (purposes: LinkedValues['purposes']): Purpose[] => purposeList.flatMap(({ id }) => (purposes[id] ? [id] : []))

/** What a new one sends: without an account it belongs to the platform. */
export const newInput = (values: LinkedValues) => ({
  ...(values.owner === 'platform' || values.owner === '' ? {} : { account_id: values.owner }),
  bank_account: bankInput(values),
  purposes: ticked(values.purposes),
  ...(values.description.trim() === '' ? {} : { description: values.description }),
  ...(values.metadata.length === 0 ? {} : { metadata: metadataOf(values.metadata) }),
})

/** Faults the schema cannot know: a number that was not typed the same twice, and lines of metadata that are marked. */
export function numberFaults({ bank_account, again, metadata }: NumberValues): Record<string, string> {
  const differs = digitsOf(bank_account.account_number) !== digitsOf(again)
  return {
    ...(differs ? { again: 'is not the same number' } : {}),
    ...(metadata.some((line) => metadataFault(line, metadata)) ? { metadata: 'mend the lines that are marked' } : {}),
  }
}
