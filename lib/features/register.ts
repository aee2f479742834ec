import 'server-only'
/**
 * Registers every feature's part in the operations. The platform does not import features, so each entry that runs it imports this file
 * too: the start, and each entry that Next bundles separately (checked by `scripts/registration.test.ts`).
 */
import { countsFor } from '@/lib/features/home/server/queues'
import { startTelling } from '@/lib/features/notifications/server/tell'
import { registerJob } from '@/lib/server/http/registration'
import '@/lib/features/claims/server/register'
import '@/lib/features/customers/server/register'
import '@/lib/features/deletions/server/register'
import '@/lib/features/limits/server/register'
import '@/lib/features/payments/server/register'
import '@/lib/features/paykeys/server/register'

registerJob(() => startTelling(countsFor))
