import type { RecordNouns } from '@/components/kits/record/record-failed'

export const linkedNouns: RecordNouns = { resource: 'linked_bank_accounts', one: 'linked bank account', many: 'linked bank accounts' }
