import { requireConfigFlag, requireNoForcedOutcome, requireOpenAccount } from '@/sandbox/accounts/configuration'
import { invalidField } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { timesAt } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { type CreateBody, toAddress, toIdentifiers } from './customer-bodies'
import { type CustomerEntry, requireUniqueFields } from './customer-entry'
import { type Customer, maskedDevice, maskIdentifiers } from './customer-schema'
import { getStatusAfterMove, toVerificationResult } from './customer-store'
import { startVerification, verifyIdentity } from './verify-identity'

const groups = { individual: 'individuals', business: 'businesses' } as const

/**
 * Throws a 422 if the account's capability for customers of this type is not active (interface document, `capabilities.customer_types`).
 */
function requireCapability({ accounts }: Sandbox, account: number, type: Customer['type']): void {
  const group = groups[type]
  if (accounts.at(account)?.doc.capabilities.customer_types[group].capability_status === 'active') return
  const detail = `may not be ${type}: the account's capability ${group} is not active`
  throw invalidField('The account may not have customers of this type.', 'type', detail)
}

function toCustomerConfig(sandbox: Sandbox, account: number, given: CreateBody['config']): Customer['config'] {
  const sandbox_outcome = given?.sandbox_outcome ?? 'standard'
  const processing_method = given?.processing_method ?? 'inline'
  requireNoForcedOutcome(sandbox, sandbox_outcome)
  if (processing_method === 'skip') requireConfigFlag(sandbox, account, 'allow_customer_identity_skip')
  return { sandbox_outcome, processing_method }
}

function makeCustomerDraft({ sandbox, input, now }: Call<unknown, CreateBody>, account: number): Omit<CustomerEntry, 'n'> {
  requireOpenAccount(sandbox, account, 'have new customers')
  const config = toCustomerConfig(sandbox, account, input.config)
  requireCapability(sandbox, account, input.type)
  const external_id = input.external_id ?? null
  requireUniqueFields(sandbox, account, { email: input.email, external_id })
  const identifiers = toIdentifiers(input.type, input.compliance_profile, now)
  const doc: Customer = {
    id: newId(now),
    ...{ name: input.name, type: input.type, email: input.email, phone: input.phone, external_id },
    status:
      config.processing_method === 'background' ? 'pending' : getStatusAfterMove(toVerificationResult(config.sandbox_outcome), 'pending'),
    ...timesAt(now),
    address: toAddress(input.address),
    compliance_profile: maskIdentifiers(identifiers),
    device: maskedDevice,
    metadata: input.metadata ?? {},
    config,
  }
  return { account, doc, secret: { ip_address: input.device.ip_address, compliance_profile: identifiers } }
}

export function createCustomer(call: Call<unknown, CreateBody>, account: number): CustomerEntry {
  const { sandbox, now } = call
  const { doc, secret } = makeCustomerDraft(call, account)
  const entry = sandbox.customers.insert(account, doc, secret)
  const { processing_method, sandbox_outcome } = doc.config
  if (processing_method === 'background') startVerification(sandbox, entry, now)
  if (processing_method === 'inline') {
    sandbox.customers.keepIdentity(entry.n, verifyIdentity(doc, toVerificationResult(sandbox_outcome), newId(now), now))
  }
  sandbox.events.created({ resource: 'customer', accountId: sandbox.accounts.idOf(account), data: doc }, now)
  return entry
}
