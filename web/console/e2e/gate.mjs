// A gate in front of a service that doesn't serve the console yet.
import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
const types = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html; charset=utf-8' }
export function gate(backend, key, dist) {
  const s = http.createServer((q, r) => {
    const u = new URL(q.url, 'http://x')
    if (u.pathname === '/graphql') {
      const h = { authorization: `Bearer ${key}`, ...q.headers }
      if (q.headers['x-key']) h.authorization = `Bearer ${q.headers['x-key']}`
      delete h.cookie
      const p = http.request({ host: '127.0.0.1', port: backend, path: q.url, method: q.method, headers: h }, (x) => { r.writeHead(x.statusCode, x.headers); x.pipe(r) })
      p.on('error', () => r.destroy())
      return void q.pipe(p)
    }
    let f = path.join(dist, u.pathname.replace(/^\/console\/?/, ''))
    if (u.pathname.startsWith('/console/assets/')) {
      if (!existsSync(f)) return void r.writeHead(404).end()
    } else f = path.join(dist, 'index.html')
    r.setHeader('Content-Security-Policy', csp)
    r.setHeader('X-Content-Type-Options', 'nosniff')
    r.setHeader('Content-Type', types[path.extname(f)] ?? 'application/octet-stream')
    r.setHeader('Content-Encoding', 'gzip')
    r.end(gzipSync(readFileSync(f)))
  })
  s.on('upgrade', (q, c, head) => {
    const b = net.connect(backend, '127.0.0.1', () => {
      const h = { ...q.headers, authorization: `Bearer ${key}`, host: `127.0.0.1:${backend}` }
      b.write(`GET ${q.url} HTTP/1.1\r\n${Object.entries(h).map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`)
      b.write(head)
      b.pipe(c)
      c.pipe(b)
    })
    b.on('error', () => c.destroy())
    c.on('error', () => b.destroy())
    b.on('close', () => c.destroy())
  })
  return new Promise((done) => s.listen(0, '127.0.0.1', () => done(s)))
}
