import 'server-only'
import type { ExportColumn } from './csv'

const statusNames = ['status', 'reason', 'code', 'status_message', 'source_of_reason']

/** The columns of a file by the column of the list that shows the same. */
const namesByListColumn: Readonly<Record<string, readonly string[]>> = {
  account: ['account'],
  amount: ['amount'],
  bank: ['bank', 'bank_account', 'account_number', 'account_type'],
  capabilities: ['capabilities'],
  count: ['payments'],
  date: ['payment_date'],
  description: ['description'],
  effective: ['effective_at'],
  eligible: ['unblock_eligible'],
  expires: ['expires_at'],
  external: ['external_id'],
  funding: ['funding_events'],
  holder: ['account_holder'],
  kind: ['type'],
  limits: ['charge_up_to', 'payout_up_to'],
  metadata: ['metadata_keys'],
  organization: ['organization_id'],
  purposes: ['purposes'],
  relationship: ['relationship', 'title'],
  source: ['source'],
  state: statusNames,
  type: ['type'],
  updated: ['updated_at'],
  why: [...statusNames, 'source'],
}

/** `hidden` are columns of the list. Columns that the list does not have stay in the file. */
export function omitHiddenColumns<Item>(
  columns: readonly ExportColumn<Item>[],
  hidden: readonly string[],
): readonly ExportColumn<Item>[] {
  const omittedNames = hidden.flatMap((each) =>
    Object.hasOwn(namesByListColumn, each) ? (namesByListColumn[each] ?? []) : [],
  )
  return columns.filter(({ name }) => !omittedNames.includes(name))
}
