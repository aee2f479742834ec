import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type DoctorRunner, jsonResponse, startOwnDoctorRunner } from './harness/doctor'

let doctorRunner: DoctorRunner

beforeAll(async () => {
  doctorRunner = await startOwnDoctorRunner()
})
afterEach(() => doctorRunner?.tidy())
afterAll(() => doctorRunner?.stop())

describe('the doctor finds that', () => {
  test('decimal amounts do not match minor units, and match major units', async () => {
    const dollarAmountService = await doctorRunner.between({
      back: (answer) => {
        answer.text = answer.text.replace(/"amount":"(\d+)(\d\d)"/g, '"amount":"$1.$2"')
      },
    })
    const { code, line } = await doctorRunner.examine(dollarAmountService.url)
    expect(code).toBe(1)
    expect(line('Amounts')).toMatch(/mismatch minor: .* factor of 100 → SERVICE_AMOUNT_UNIT=major$/)
    expect(
      (await doctorRunner.examine(dollarAmountService.url, { SERVICE_AMOUNT_UNIT: 'major' })).line(
        'Amounts',
      ),
    ).toContain('Amounts fits')
    expect(
      (await doctorRunner.examine(doctorRunner.sandbox.url, { SERVICE_AMOUNT_UNIT: 'major' })).line(
        'Amounts',
      ),
    ).toContain('→ SERVICE_AMOUNT_UNIT=minor')
  })

  test('a few odd amounts among whole ones leave the unit unknown', async () => {
    const fractionalAmountService = await doctorRunner.between({
      back: (answer) => {
        answer.text = answer.text.replace(/"amount":"(\d+)"/, '"amount":"$1.5"')
      },
    })
    expect((await doctorRunner.examine(fractionalAmountService.url)).line('Amounts')).toContain(
      'unknown',
    )
  })

  test('capability requests are at the other known path', async () => {
    const nestedPathService = await doctorRunner.between({
      there: ({ path }) =>
        path.startsWith('/v1/accounts/capability_requests')
          ? jsonResponse(404, { error: { status: 404 } })
          : undefined,
    })
    const { code, line } = await doctorRunner.examine(nestedPathService.url)
    expect(code).toBe(1)
    const capabilityPathSetting =
      'SERVICE_CAPABILITY_REQUESTS_PATH=/v1/accounts/{account_id}/capability_requests'
    expect(line('API path of account-limit requests')).toContain(`→ ${capabilityPathSetting}`)
    const [name = '', value = ''] = capabilityPathSetting.split(/=(.*)/)
    expect((await doctorRunner.examine(nestedPathService.url, { [name]: value })).code).toBe(0)
  })

  test('lists in a query are accepted only as repeated fields', async () => {
    const repeatedParamService = await doctorRunner.between({
      there: (passing) => {
        const [path = '', search = ''] = passing.path.split('?')
        const query = new URLSearchParams(search)
        const paymentStatuses = query.getAll('payment_status')
        if (paymentStatuses.some((state) => state.includes(',')))
          return jsonResponse(422, { error: { status: 422 } })
        if (paymentStatuses.length > 1) query.set('payment_status', paymentStatuses.join(','))
        passing.path = `${path}?${query}`
      },
    })
    const { code, line } = await doctorRunner.examine(repeatedParamService.url)
    expect(code).toBe(1)
    expect(line('Lists in requests')).toContain('→ SERVICE_LIST_STYLE=repeat')
    expect(
      (await doctorRunner.examine(repeatedParamService.url, { SERVICE_LIST_STYLE: 'repeat' })).code,
    ).toBe(0)
  })

  test('a list in a query is ignored by the service', async () => {
    const filterIgnoringService = await doctorRunner.between({
      there: (passing) => {
        passing.path = passing.path.replace(/payment_status=[^&]*&?/g, '')
      },
    })
    expect(
      (await doctorRunner.examine(filterIgnoringService.url)).line('Lists in requests'),
    ).toContain('mismatch')
  })

  test('the service uses another value for a signed agreement', async () => {
    const signedConsentService = await doctorRunner.between({
      back: (answer) => {
        answer.text = answer.text.replace(/"consent_type":"\w+"/g, '"consent_type":"signed"')
      },
    })
    const { code, line } = await doctorRunner.examine(signedConsentService.url)
    expect(code).toBe(1)
    expect(line('Value for signed consent')).toContain('→ SERVICE_SIGNED_CONSENT=signed')
  })

  test('the clock is hours off', async () => {
    const threeHoursMs = 3 * 3_600_000
    const skewedClockService = await doctorRunner.between({
      back: (answer) => {
        answer.headers.date = new Date(Date.now() - threeHoursMs).toUTCString()
        answer.text = answer.text.replace(
          /("api_request_timestamp":)"[^"]+"/,
          `$1"${new Date(Date.now() - threeHoursMs).toISOString()}"`,
        )
      },
    })
    const { code, line } = await doctorRunner.examine(skewedClockService.url)
    expect(code).toBe(1)
    expect(line('Clock')).toMatch(/mismatch .*[23] h behind ours/)
  })
})

describe('an API key', () => {
  const readApiKey = (name: string): string =>
    (doctorRunner.sandbox.keys as Record<string, string>)[name] ?? ''

  test('that has expired', async () => {
    const { code, line } = await doctorRunner.examine(doctorRunner.sandbox.url, {
      SERVICE_SANDBOX_API_KEY: readApiKey('expired'),
    })
    expect(code).toBe(1)
    expect(line('Expiry')).toMatch(
      /mismatch expired \d{4}-\d\d-\d\d; issued .* → set SERVICE_SANDBOX_API_KEY to a new key/,
    )
    expect(line('Accepted')).toContain('mismatch refused (401) when asked to list accounts')
  })

  test('of the other environment', async () => {
    const { code, line } = await doctorRunner.examine(doctorRunner.sandbox.url, {
      SERVICE_SANDBOX_API_KEY: readApiKey('production'),
    })
    expect(code).toBe(1)
    expect(line('Environment')).toMatch(
      /mismatch the key says production → set SERVICE_SANDBOX_API_KEY to a key of sandbox/,
    )
  })

  test('that is refused with an empty 401', async () => {
    const keyRefusingService = await doctorRunner.between({
      there: () => ({ status: 401, headers: {}, text: '' }),
    })
    const { code, line } = await doctorRunner.examine(keyRefusingService.url)
    expect([code, line('Accepted')]).toEqual([1, expect.stringContaining('refused (401)')])
    expect(line('Account header')).toBe('Account header unknown not tried: nothing could be read')
    expect(keyRefusingService.seen).toHaveLength(1)
  })

  test('that may not read everything', async () => {
    const partlyForbiddenService = await doctorRunner.between({
      there: ({ path }) =>
        path.startsWith('/v1/representatives')
          ? jsonResponse(403, { error: { status: 403 } })
          : undefined,
    })
    const { code, line } = await doctorRunner.examine(partlyForbiddenService.url)
    expect(code).toBe(1)
    expect(line('Rights to read')).toContain('mismatch the key may not: list representatives')
    expect(line('payments.search')).toContain('fits')
  })

  test('that contains no information', async () => {
    const keyReplacingService = await doctorRunner.between({
      there: ({ headers }) => {
        headers.authorization = `Bearer ${doctorRunner.sandbox.keys.full}`
        return undefined
      },
    })
    const { code, line } = await doctorRunner.examine(keyReplacingService.url, {
      SERVICE_SANDBOX_API_KEY: 'a-plain-key-of-no-known-kind-0123456789',
    })
    expect([code, line('Environment')]).toEqual([
      0,
      expect.stringContaining('unknown the key is no JWT'),
    ])
  })
})
