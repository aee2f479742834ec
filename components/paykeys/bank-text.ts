import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

/** How a bank account is called: the bank and the last four digits, or what the service calls it. */
export function bankText({ institution_name, bank_data, label }: Pick<PaykeySummary, 'institution_name' | 'bank_data' | 'label'>): string {
  const named = [institution_name, bank_data?.account_number].filter(Boolean).join(' ')
  return institution_name && named ? named : (label ?? (named || 'Unknown bank account'))
}

/** The last four digits of a masked account number, as somebody types them; undefined where the service shows none. */
export const lastFourOf = ({ bank_data }: Pick<PaykeySummary, 'bank_data'>): string | undefined =>
  /\d{4}$/.exec(bank_data?.account_number ?? '')?.[0]
