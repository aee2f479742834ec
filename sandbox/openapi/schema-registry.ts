import { z } from 'zod'
import type { Dialect } from '@/sandbox/dialects/dialect'
import { uuidPattern } from '@/sandbox/store/new-id'

/** A JSON Schema (draft 2020-12), or any other object of the document. */
export type Json = Record<string, unknown>

/** Formats that readers know by name; zod's patterns for them add hundreds of characters without information. */
const named = new Set(['date-time', 'date', 'email', 'ipv4', 'uuid', 'uri'])

const reference = '#/$defs/'

/** Simplifies zod's JSON Schema: removes patterns of known formats and the bounds of JavaScript's integers. */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.pattern === uuidPattern.source) jsonSchema.format = 'uuid'
  if (named.has(String(jsonSchema.format))) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/**
 * Collects the schemas of the document. A schema with an id in its `meta` is written once, under that id, and referenced. Input and output
 * schemas are separate, because their optional fields differ.
 */
export class SchemaRegistry {
  readonly #components = new Map<string, string>()
  readonly #describe: Dialect['describe']

  /** `describe` is the dialect's change of response schemas. */
  constructor({ describe }: Pick<Dialect, 'describe'>) {
    this.#describe = describe
  }

  /**
   * Returns the schema for use in an operation. Throws Error if JSON Schema cannot express it, or if two different schemas have the same
   * id; both are programming errors.
   */
  add(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _dialect,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, { io, override: io === 'output' ? this.#tellAnswer : tidy }) as Json & { $defs?: Record<string, Json> }
    const nameOf = (id: string) => (io === 'output' || id.endsWith('Input') ? id : `${id}Input`)
    const placed = (part: Json): Json =>
      JSON.parse(JSON.stringify(part), (key, value) =>
        key === '$ref' && typeof value === 'string' && value.startsWith(reference)
          ? `#/components/schemas/${nameOf(value.slice(reference.length))}`
          : value,
      )
    for (const [id, part] of Object.entries($defs)) this.name(nameOf(id), placed(part))
    return placed(own)
  }

  /** Adds a named schema and returns the reference to it. Throws Error if a different one has that name. */
  name(name: string, schema: Json): Json {
    const text = JSON.stringify(schema)
    const existingText = this.#components.get(name)
    if (existingText !== undefined && existingText !== text) throw new Error(`two different schemas are called ${name}`)
    this.#components.set(name, text)
    return { $ref: `#/components/schemas/${name}` }
  }

  #tellAnswer = (context: { jsonSchema: Json }): void => {
    tidy(context)
    this.#describe(context.jsonSchema)
  }

  components(): Record<string, Json> {
    const sorted = [...this.#components].toSorted(([left], [right]) => (left < right ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, text]) => [name, JSON.parse(text) as Json]))
  }
}
