import 'server-only'
/**
 * Every feature's part in the operations. The platform knows none of them, so whatever runs the platform imports this file beside it: the start and each
 * entry that Next bundles apart (`scripts/registration.test.ts` looks).
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
