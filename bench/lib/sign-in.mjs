/** On a 403 with a step-up challenge, confirms the demo password and sends the request again. */
export async function sendWithStepUp(baseUrl, headers, path, init) {
  const sendRequest = (stepUpHeaders) =>
    fetch(baseUrl + path, { ...init, headers: { ...headers, ...init.headers, ...stepUpHeaders } })
  const response = await sendRequest({})
  if (response.status !== 403) return response
  const { challenge } = (await response.json()).error.step_up
  const stepUpRequest = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
  }
  await fetch(`${baseUrl}/api/sandbox/desk/step-ups/${challenge}`, {
    ...stepUpRequest,
    body: JSON.stringify({ method: 'password', password: 'paydesk-demo' }),
  })
  return sendRequest({ 'step-up': challenge })
}

/** Signs in as a browser does. Returns the request headers of the session. */
export async function signIn(baseUrl, role = 'operator') {
  const cookies = new Map()
  const buildHeaders = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    origin: baseUrl,
    'sec-fetch-site': 'same-origin',
  })
  const sendWithCookies = async (path, init = {}) => {
    const response = await fetch(baseUrl + path, {
      redirect: 'manual',
      ...init,
      headers: buildHeaders(),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name) cookies.set(name, value)
    }
    return response
  }
  const { csrfToken } = await (await sendWithCookies('/api/auth/csrf')).json()
  const signInFields = {
    csrfToken,
    email: `${role}@paydesk.test`,
    password: 'paydesk-demo',
    json: 'true',
  }
  const signInResponse = await sendWithCookies('/api/auth/callback/credentials', {
    method: 'POST',
    body: new URLSearchParams(signInFields),
  })
  if (!cookies.has('paydesk.session'))
    throw new Error(`${role} could not sign in: ${signInResponse.status}`)
  return buildHeaders()
}
