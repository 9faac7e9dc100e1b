-- Takes from buckets that leak, for several calls that take alike, one after the other. A
-- key keeps how much of its bucket was used, and when, in microseconds on Redis's clock:
-- what was used doesn't depend on the rate, so another rate counts at once. The arguments:
-- how many calls, and for each key the interval in which one is refilled, how many the
-- bucket holds, how many are taken. It returns for each call and key whether they were, how
-- long the bucket takes to be full again, and how long to wait. Behind a bucket that
-- refuses, a call takes nothing.
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])
local tiny = 1e-6
local used, answer = {}, {}
for i, key in ipairs(KEYS) do
  local interval, kept = tonumber(ARGV[3 * i - 1]), redis.call('GET', key) or ''
  local n, at = string.match(kept, '^(%S+) (%S+)$')
  if n then
    used[i] = math.max(tonumber(n) - math.max(now - tonumber(at), 0) / interval, 0)
  else
    -- A time, as version 0.1 kept it: when the bucket is full again.
    used[i] = math.max((tonumber(kept) or now) - now, 0) / interval
  end
end
for call = 1, tonumber(ARGV[1]) do
  local refused = false
  for i = 1, #KEYS do
    local interval, holds, take = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
    local excess = used[i] + take - holds
    local ok = take <= 0 or (excess <= tiny and not refused)
    if ok then
      used[i] = math.max(used[i] + take, 0)
    else
      refused = true
    end
    local n = 3 * ((call - 1) * #KEYS + i - 1)
    answer[n + 1] = ok and 1 or 0
    answer[n + 2] = math.ceil(used[i] * interval)
    answer[n + 3] = ok and 0 or math.ceil(math.max(excess, 0) * interval)
  end
end
for i, key in ipairs(KEYS) do
  if tonumber(ARGV[3 * i + 1]) ~= 0 then
    local interval = tonumber(ARGV[3 * i - 1])
    if used[i] > 0 then
      redis.call('SET', key, string.format('%.9f %.0f', used[i], now), 'PX', math.max(math.ceil(used[i] * interval / 1000), 1))
    else
      redis.call('DEL', key)
    end
  end
end
return answer
