// Json is what the schema's scalar JSON holds.
export type Json = Record<string, unknown>
