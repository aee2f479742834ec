import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { formatBankLabel } from '@/lib/domain/bank-label'
import { moneyText } from '@/lib/money'
import type { Environment } from '@/lib/operations/define'
import type { NewAction } from '@/lib/server/actions/action-log'
import type { ChallengeSubject } from '@/lib/server/auth/step-up/require-proof'
import { mirrorCustomers } from '@/lib/server/store/schema/mirror'
import { mirrorPaykeys } from '@/lib/server/store/schema/mirror-payments'
import type { Db } from '@/lib/server/store/store'
import { findPaykeyId, readPolicyAmount } from './facts'

type SubjectPayment = {
  currency?: string
  customer_details?: { name?: string | null } | null
  paykey_details?: { label?: string | null } | null
}

const toPayeeText = (
  name: string | null | undefined,
  label: string | null | undefined,
): string | null => [name, label && formatBankLabel(label)].filter(Boolean).join(', ') || null

/**
 * Returns the amount and the payee that the step-up dialog shows. The body of a new payment names
 * only a paykey, so its payee is read from the mirror.
 */
export async function findStepUpSubject(
  db: Db,
  environment: Environment,
  write: Pick<NewAction, 'operation' | 'body'>,
  targetObject: unknown,
): Promise<ChallengeSubject> {
  const {
    currency = 'USD',
    customer_details: customer,
    paykey_details: paykey,
  } = (targetObject ?? {}) as SubjectPayment
  const cents = readPolicyAmount(write, targetObject)
  const amountText = typeof cents === 'number' ? moneyText(cents, currency) : null
  const payeeText = toPayeeText(customer?.name, paykey?.label)
  const paykeyId = findPaykeyId(write, targetObject)
  if (payeeText || !paykeyId) return { amount: amountText, payee: payeeText }
  const [row] = await db
    .select({
      name: mirrorCustomers.name,
      label: sql<string | null>`${mirrorPaykeys.object} ->> 'label'`,
    })
    .from(mirrorPaykeys)
    .leftJoin(
      mirrorCustomers,
      and(
        eq(mirrorCustomers.environment, mirrorPaykeys.environment),
        eq(mirrorCustomers.id, mirrorPaykeys.customerId),
      ),
    )
    .where(and(eq(mirrorPaykeys.environment, environment), eq(mirrorPaykeys.id, paykeyId)))
  return { amount: amountText, payee: toPayeeText(row?.name, row?.label) }
}
