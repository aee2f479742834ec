import type { RecordNouns } from '@/components/kits/record/record-failed'

export const organizationNouns: RecordNouns = { resource: 'organizations', one: 'organization', many: 'organizations' }
