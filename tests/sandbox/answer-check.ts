import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type OpenApiResponse = { $ref?: string; content?: Record<string, unknown> }
type OpenApiOperation = { operationId: string; responses: Record<string, OpenApiResponse> }
type OpenApiDocument = { paths: Record<string, Record<string, OpenApiOperation>> }

type DocumentedRoute = {
  method: string
  pattern: RegExp
  path: string
  operation: OpenApiOperation
}

export type HttpExchange = { method: string; path: string; status: number; body: unknown }

const escapePointerPart = (part: string) =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
const toJsonPointer = (...parts: string[]) => `#/${parts.map(escapePointerPart).join('/')}`

function listRoutes({ paths }: OpenApiDocument): DocumentedRoute[] {
  return Object.entries(paths).flatMap(([path, methods]) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern,
      path,
      operation,
    }))
  })
}

const countPathParameters = (path: string) => path.split('{').length

/**
 * Validates responses of a sandbox process against the OpenAPI document that this process serves.
 * Compiles each schema at its first use.
 */
export class ResponseValidator {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #routes: DocumentedRoute[]
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: unknown) {
    formats.default(this.#ajv)
    this.#ajv.addSchema(document as object, 'openapi')
    // Routes with fewer parameters first, as in the sandbox's router: `/v1/things/first` must not
    // match `/v1/things/{id}`.
    this.#routes = listRoutes(document as OpenApiDocument).toSorted(
      (left, right) => countPathParameters(left.path) - countPathParameters(right.path),
    )
  }

  /** Returns the operation id of a method and path; undefined if the document has none. */
  operation(method: string, path: string): string | undefined {
    return this.#route(method, path)?.operation.operationId
  }

  /**
   * Throws Error if the response differs from the OpenAPI document. The error text lists up to
   * eight differences.
   */
  check({ method, path, status, body }: HttpExchange): void {
    const route = this.#route(method, path)
    if (!route)
      throw new Error(
        `${method} ${path} answered ${status} in JSON and is not in the OpenAPI document`,
      )
    const documentedResponse = route.operation.responses[status]
    if (!documentedResponse)
      throw new Error(
        `${route.operation.operationId} answered ${status}, which the OpenAPI document does not name`,
      )
    const validate = this.#validator(route, status, documentedResponse)
    if (validate(body)) return
    const schemaDifferences = (validate.errors ?? [])
      .slice(0, 8)
      .map(({ instancePath, message, params }) => {
        const extraPropertySuffix =
          'additionalProperty' in params ? ` (${String(params.additionalProperty)})` : ''
        return `${instancePath || 'the body'} ${message}${extraPropertySuffix}`
      })
    throw new Error(
      `${route.operation.operationId} answered ${status} unlike its OpenAPI document: ${schemaDifferences.join('; ')}`,
    )
  }

  #route(method: string, path: string): DocumentedRoute | undefined {
    return this.#routes.find((route) => route.method === method && route.pattern.test(path))
  }

  #validator(
    { path, method }: DocumentedRoute,
    status: number,
    { $ref }: OpenApiResponse,
  ): ValidateFunction {
    const responsePointer =
      $ref ?? toJsonPointer('paths', path, method.toLowerCase(), 'responses', String(status))
    const schemaRef = `openapi${responsePointer}/${['content', 'application/json', 'schema'].map(escapePointerPart).join('/')}`
    const cachedValidator = this.#compiled.get(schemaRef)
    if (cachedValidator) return cachedValidator
    const validator = this.#ajv.compile({ $ref: schemaRef })
    this.#compiled.set(schemaRef, validator)
    return validator
  }
}
