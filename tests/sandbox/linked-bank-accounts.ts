import type { ServiceObject } from './make-account'
import type { SandboxClient } from './sandbox-client'

export type LinkedBankAccount = ServiceObject & {
  purposes: string[]
  account_id: string | null
  bank_account: Record<string, string>
}

export const readLinkedBankAccount = async (
  client: SandboxClient,
  id: string,
): Promise<LinkedBankAccount> =>
  (await client.ask(`/v1/linked_bank_accounts/${id}`)).json.data as LinkedBankAccount

export async function readAccountSettings(
  client: SandboxClient,
  accountId: string,
): Promise<Record<string, Record<string, unknown>>> {
  const { json } = await client.ask(`/v1/accounts/${accountId}`)
  return (json.data as { settings: Record<string, Record<string, unknown>> }).settings
}
