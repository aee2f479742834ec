import type { SandboxClient, SandboxResponse } from '@/tests/sandbox/sandbox-client'

/**
 * Sends a compliance decision about an object. Returns the response in the shape of a service
 * response.
 */
export async function sendDecision(
  client: SandboxClient,
  decision: Record<string, unknown>,
): Promise<SandboxResponse> {
  const response = await client.controlRaw('compliance', decision)
  const text = await response.text()
  const responseBody = JSON.parse(text) as { error?: string }
  const { status, headers } = response
  return {
    status,
    headers,
    text,
    json: response.ok ? { data: responseBody } : { error: { detail: responseBody.error } },
  }
}
