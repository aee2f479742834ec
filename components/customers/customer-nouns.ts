import type { RecordNouns } from '@/components/kits/record/record-failed'

export const customerNouns: RecordNouns = { resource: 'customers', one: 'customer', many: 'customers' }
