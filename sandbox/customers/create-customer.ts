import {
  requireConfigFlag,
  requireNoForcedOutcome,
  requireOpenOwner,
} from '@/sandbox/accounts/configuration'
import { getOwnerCustomerTypes, getOwnerNoun } from '@/sandbox/accounts/owner'
import { makeInvalidFieldProblem } from '@/sandbox/http/problem'
import type { OperationCall } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { type CreateCustomerBody, toAddress, toIdentifiers } from './customer-bodies'
import { type CustomerEntry, recordCustomerEvent, requireUniqueFields } from './customer-entry'
import { type Customer, maskedDeviceFields, maskIdentifiers } from './customer-schema'
import { getStatusAfterMove, toVerificationResult } from './customer-store'
import { startVerification, verifyIdentity } from './verify-identity'

const capabilityByType = { individual: 'individuals', business: 'businesses' } as const

/**
 * Throws a 422 if the owner may not have customers of this type (interface document,
 * `capabilities.customer_types`).
 */
function requireCapability(sandbox: Sandbox, owner: number | null, type: Customer['type']): void {
  const capabilityName = capabilityByType[type]
  const customerTypes = getOwnerCustomerTypes(sandbox, owner)
  if (customerTypes[capabilityName].capability_status === 'active') return
  const ownerNoun = getOwnerNoun(owner)
  throw makeInvalidFieldProblem(
    `The ${ownerNoun} may not have customers of this type.`,
    'type',
    `may not be ${type}: the ${ownerNoun}'s capability ${capabilityName} is not active`,
  )
}

function toCustomerConfig(
  sandbox: Sandbox,
  owner: number | null,
  requestedConfig: CreateCustomerBody['config'],
): Customer['config'] {
  const sandbox_outcome = requestedConfig?.sandbox_outcome ?? 'standard'
  const processing_method = requestedConfig?.processing_method ?? 'inline'
  requireNoForcedOutcome(sandbox, sandbox_outcome)
  if (processing_method === 'skip')
    requireConfigFlag(sandbox, owner, 'allow_customer_identity_skip')
  return { sandbox_outcome, processing_method }
}

function makeCustomerDraft({
  sandbox,
  input,
  account: owner,
  now,
}: OperationCall<unknown, CreateCustomerBody>): Omit<CustomerEntry, 'n'> {
  requireOpenOwner(sandbox, owner, 'have new customers')
  const config = toCustomerConfig(sandbox, owner, input.config)
  requireCapability(sandbox, owner, input.type)
  const external_id = input.external_id ?? null
  requireUniqueFields(sandbox, owner, { email: input.email, external_id })
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
    account: owner,
    doc,
    secret: { ip_address: input.device.ip_address, compliance_profile: identifiers },
  }
}

/** The customer belongs to the account of the request, or to the platform. */
export function createCustomer(call: OperationCall<unknown, CreateCustomerBody>): CustomerEntry {
  const { sandbox, now } = call
  const { account, doc, secret } = makeCustomerDraft(call)
  const entry = sandbox.customers.insert(account, doc, secret)
  const { processing_method, sandbox_outcome } = doc.config
  if (processing_method === 'background') startVerification(sandbox, entry, now)
  if (processing_method === 'inline') {
    sandbox.customers.keepIdentity(
      entry.n,
      verifyIdentity(doc, toVerificationResult(sandbox_outcome), newId(now), now),
    )
  }
  recordCustomerEvent(sandbox, entry, now, 'created')
  return entry
}
