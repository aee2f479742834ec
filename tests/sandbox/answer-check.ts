import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Response = { $ref?: string; content?: Record<string, unknown> }
type Operation = { operationId: string; responses: Record<string, Response> }
type Document = { paths: Record<string, Record<string, Operation>> }

type Route = { method: string; pattern: RegExp; path: string; operation: Operation }

export type Exchange = { method: string; path: string; status: number; body: unknown }

const escapePointerPart = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
const toJsonPointer = (...parts: string[]) => `#/${parts.map(escapePointerPart).join('/')}`

function listRoutes({ paths }: Document): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), pattern, path, operation }))
  })
}

const replaceParameters = (path: string) => path.split('{').length

/** Validates responses against the OpenAPI document of their process. Compiles a schema when it is first used. */
export class AnswerCheck {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #routes: Route[]
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: unknown) {
    formats.default(this.#ajv)
    this.#ajv.addSchema(document as object, 'openapi')
    // Fixed paths first, as in the router.
    this.#routes = listRoutes(document as Document).toSorted((left, right) => replaceParameters(left.path) - replaceParameters(right.path))
  }

  /** Returns the operation id of a method and path; undefined if the document has none. */
  operation(method: string, path: string): string | undefined {
    return this.#route(method, path)?.operation.operationId
  }

  /** Throws Error if the document does not describe the response. The text lists the differences. */
  check({ method, path, status, body }: Exchange): void {
    const route = this.#route(method, path)
    if (!route) throw new Error(`${method} ${path} answered ${status} in JSON and is not in the OpenAPI document`)
    const response = route.operation.responses[status]
    if (!response) throw new Error(`${route.operation.operationId} answered ${status}, which the OpenAPI document does not name`)
    const validate = this.#validator(route, status, response)
    if (validate(body)) return
    const differences = (validate.errors ?? []).slice(0, 8).map(({ instancePath, message, params }) => {
      const extraProperty = 'additionalProperty' in params ? ` (${String(params.additionalProperty)})` : ''
      return `${instancePath || 'the body'} ${message}${extraProperty}`
    })
    throw new Error(`${route.operation.operationId} answered ${status} unlike its OpenAPI document: ${differences.join('; ')}`)
  }

  #route(method: string, path: string): Route | undefined {
    return this.#routes.find((route) => route.method === method && route.pattern.test(path))
  }

  #validator({ path, method }: Route, status: number, { $ref }: Response): ValidateFunction {
    const response = $ref ?? toJsonPointer('paths', path, method.toLowerCase(), 'responses', String(status))
    const schemaRef = `openapi${response}/${['content', 'application/json', 'schema'].map(escapePointerPart).join('/')}`
    const cachedValidator = this.#compiled.get(schemaRef)
    if (cachedValidator) return cachedValidator
    const validator = this.#ajv.compile({ $ref: schemaRef })
    this.#compiled.set(schemaRef, validator)
    return validator
  }
}
