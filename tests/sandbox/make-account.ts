import type { SandboxClient } from './sandbox-client'

/** An object of the service, with only the fields that tests check. */
export type ServiceObject = Record<string, unknown> & {
  id: string
  status: string
  status_detail: Record<string, unknown>
  updated_at: string
}

export const businessProfile = {
  name: 'Sable & Finch Bakery',
  website: 'https://sable-finch.example.com',
}

export const bankAccountFields = {
  account_holder: 'Sable & Finch Bakery',
  routing_number: '021000021',
  account_number: '1234567890',
}

export const representativeFields = {
  ...{ first_name: 'Nadia', last_name: 'Haddad', dob: '1984-03-09', ssn_last4: '4321' },
  ...{ email: 'nadia.haddad@example.com', mobile_number: '+15125550144' },
  relationship: { primary: true, control: true, owner: false },
}

async function createObject(
  client: SandboxClient,
  path: string,
  body: unknown,
): Promise<ServiceObject> {
  const creationResponse = await client.post(path, body)
  if (creationResponse.status !== 201)
    throw new Error(`POST ${path}: ${creationResponse.status} ${creationResponse.text}`)
  return creationResponse.json.data as ServiceObject
}

export async function findOrganizationId(client: SandboxClient): Promise<string> {
  const [firstOrganization] = (await client.ask('/v1/organizations?page_size=1')).json
    .data as ServiceObject[]
  return firstOrganization?.id ?? ''
}

/** Creates an account. `overrides` replace fields of the body. */
export async function makeAccount(
  client: SandboxClient,
  overrides: Record<string, unknown> = {},
): Promise<ServiceObject> {
  const organization_id = await findOrganizationId(client)
  const body = {
    organization_id,
    account_type: 'business',
    access_level: 'standard',
    business_profile: businessProfile,
    ...overrides,
  }
  return createObject(client, '/v1/accounts', body)
}

export const makeRepresentative = (
  client: SandboxClient,
  account_id: string,
  overrides: Record<string, unknown> = {},
): Promise<ServiceObject> =>
  createObject(client, '/v1/representatives', { account_id, ...representativeFields, ...overrides })

export const createLinkedBankAccount = (
  client: SandboxClient,
  account_id: string | null,
  overrides: Record<string, unknown> = {},
): Promise<ServiceObject> =>
  createObject(client, '/v1/linked_bank_accounts', {
    account_id,
    bank_account: bankAccountFields,
    ...overrides,
  })

export async function makeCompleteAccount(client: SandboxClient): Promise<ServiceObject> {
  const account = await makeAccount(client)
  await makeRepresentative(client, account.id)
  await createLinkedBankAccount(client, account.id)
  return account
}

/** Sends a compliance decision over the control plane. Returns status and body of the response. */
export async function sendComplianceDecision(
  client: SandboxClient,
  decision: Record<string, unknown>,
): Promise<{ status: number; body: ServiceObject & { error: string } }> {
  const response = await client.controlRaw('compliance', decision)
  return {
    status: response.status,
    body: (await response.json()) as ServiceObject & { error: string },
  }
}

/** Returns the types of an object's events, oldest first, and the payload of the last one. */
export async function readEventSummary(
  client: SandboxClient,
  id: string,
): Promise<{ types: string[]; last: Record<string, unknown> | undefined }> {
  const { data } = await client.control<{
    data: { type: string; payload: Record<string, unknown> }[]
  }>(`events?object_id=${id}`)
  return { types: data.map((event) => event.type), last: data.at(-1)?.payload }
}
