type AccountLinkResult =
  | { linked: true; success: { data: { label: string; status: string } } }
  | {
      linked: false
      status: number
      message: string
      items: { reference: string; detail: string }[]
      again: boolean
    }

/** Never throws: a network error or timeout looks like an error response. Runs in the browser. */
export async function requestAccountLink(
  token: string,
  accountChoice: object,
): Promise<AccountLinkResult> {
  const networkMessage = navigator.onLine ? 'The service does not answer.' : 'You are offline.'
  try {
    const response = await fetch('/bridge/paykeys', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(accountChoice),
      signal: AbortSignal.timeout(20_000),
    })
    const responseBody = await response.json()
    if (response.ok) return { linked: true, success: responseBody }
    const { detail, message, items } = responseBody.error
    return {
      linked: false,
      status: response.status,
      message: detail ?? message,
      items: items ?? [],
      again: response.status >= 500,
    }
  } catch {
    return {
      linked: false,
      status: 0,
      message: `${networkMessage} What you entered is still here.`,
      items: [],
      again: true,
    }
  }
}
