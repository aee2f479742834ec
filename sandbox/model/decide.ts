import type { Answer, SandboxClient } from '@/sandbox/testing/sandbox-client'

/** What the service's compliance decides about an object, in the shape of an answer of the service. */
export async function decide(client: SandboxClient, requested: Record<string, unknown>): Promise<Answer> {
  const response = await client.controlRaw('compliance', requested)
  const text = await response.text()
  const body = JSON.parse(text) as { error?: string }
  const { status, headers } = response
  return { status, headers, text, json: response.ok ? { data: body } : { error: { detail: body.error } } }
}
