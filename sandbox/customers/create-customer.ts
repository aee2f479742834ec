import {
  requireConfigFlag,
  requireNoForcedOutcome,
  requireOpenAccount,
} from '@/sandbox/accounts/configuration'
import { makeInvalidFieldProblem } from '@/sandbox/http/problem'
import type { OperationCall } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { type CreateCustomerBody, toAddress, toIdentifiers } from './customer-bodies'
import { type CustomerEntry, requireUniqueFields } from './customer-entry'
import { type Customer, maskedDeviceFields, maskIdentifiers } from './customer-schema'
import { getStatusAfterMove, toVerificationResult } from './customer-store'
import { startVerification, verifyIdentity } from './verify-identity'

const capabilityByType = { individual: 'individuals', business: 'businesses' } as const

/**
 * Throws a 422 if the account may not have customers of this type (interface document,
 * `capabilities.customer_types`).
 */
function requireCapability(
  { accounts }: Sandbox,
  accountRowNumber: number,
  type: Customer['type'],
): void {
  const capabilityName = capabilityByType[type]
  if (
    accounts.at(accountRowNumber)?.doc.capabilities.customer_types[capabilityName]
      .capability_status === 'active'
  )
    return
  const detail = `may not be ${type}: the account's capability ${capabilityName} is not active`
  throw makeInvalidFieldProblem('The account may not have customers of this type.', 'type', detail)
}

function toCustomerConfig(
  sandbox: Sandbox,
  accountRowNumber: number,
  requestedConfig: CreateCustomerBody['config'],
): Customer['config'] {
  const sandbox_outcome = requestedConfig?.sandbox_outcome ?? 'standard'
  const processing_method = requestedConfig?.processing_method ?? 'inline'
  requireNoForcedOutcome(sandbox, sandbox_outcome)
  if (processing_method === 'skip')
    requireConfigFlag(sandbox, accountRowNumber, 'allow_customer_identity_skip')
  return { sandbox_outcome, processing_method }
}

function makeCustomerDraft(
  { sandbox, input, now }: OperationCall<unknown, CreateCustomerBody>,
  accountRowNumber: number,
): Omit<CustomerEntry, 'n'> {
  requireOpenAccount(sandbox, accountRowNumber, 'have new customers')
  const config = toCustomerConfig(sandbox, accountRowNumber, input.config)
  requireCapability(sandbox, accountRowNumber, input.type)
  const external_id = input.external_id ?? null
  requireUniqueFields(sandbox, accountRowNumber, { email: input.email, external_id })
  const identifiers = toIdentifiers(input.type, input.compliance_profile, now)
  const doc: Customer = {
    id: newId(now),
    ...{ name: input.name, type: input.type, email: input.email, phone: input.phone, external_id },
    status:
      config.processing_method === 'background'
        ? 'pending'
        : getStatusAfterMove(toVerificationResult(config.sandbox_outcome), 'pending'),
    ...makeTimestamps(now),
    address: toAddress(input.address),
    compliance_profile: maskIdentifiers(identifiers),
    device: maskedDeviceFields,
    metadata: input.metadata ?? {},
    config,
  }
  return {
    account: accountRowNumber,
    doc,
    secret: { ip_address: input.device.ip_address, compliance_profile: identifiers },
  }
}

export function createCustomer(
  call: OperationCall<unknown, CreateCustomerBody>,
  accountRowNumber: number,
): CustomerEntry {
  const { sandbox, now } = call
  const { doc, secret } = makeCustomerDraft(call, accountRowNumber)
  const entry = sandbox.customers.insert(accountRowNumber, doc, secret)
  const { processing_method, sandbox_outcome } = doc.config
  if (processing_method === 'background') startVerification(sandbox, entry, now)
  if (processing_method === 'inline') {
    sandbox.customers.keepIdentity(
      entry.n,
      verifyIdentity(doc, toVerificationResult(sandbox_outcome), newId(now), now),
    )
  }
  sandbox.events.created(
    { resource: 'customer', accountId: sandbox.accounts.idOf(accountRowNumber), data: doc },
    now,
  )
  return entry
}
