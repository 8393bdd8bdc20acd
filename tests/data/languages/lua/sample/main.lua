local stock = require("shop.stock")
-- import shop.stock as stock
local util = require "shop.util"
-- import shop.util as util

local M = { depth = 1, open = function(key) return key end }
--    ^ definition class M
--          ^^^^^ definition field M.depth
--                     ^^^^ definition method M.open

local LIMIT = 3
--    ^^^^^ definition constant LIMIT
M.VERSION = "1.0"
--^^^^^^^ definition constant M.VERSION

local function helper(things)
--             ^^^^^^ definition function helper private
  return things
end

local Basket = {}
--    ^^^^^^ definition class Basket

function Basket.new() return setmetatable({}, Basket) end
--              ^^^ definition method Basket.new

function Basket:fill(things) return helper(things) end
--              ^^^^ definition method Basket.fill
--                                  ^^^^^^ reference call -> helper

--- Fills a basket.
function M.fill(things)
--         ^^^^ definition method M.fill
  local basket = Basket.new()
--                      ^^^ reference call -> Basket.new
  basket:fill(things)
--       ^^^^ reference call -> Basket.fill
  unknown:fill(things)
--        ^^^^ reference call -> ?
  return M.open(LIMIT), helper
--         ^^^^ reference call -> M.open
--              ^^^^^ reference read -> LIMIT
--                      ^^^^^^ reference read -> helper
end

function M.inner.deep()
--               ^^^^ definition method M.inner.deep
  helper "things"
--^^^^^^ reference call -> helper
  for _, thing in ipairs(util.all(stock)) do print(thing) end
--                            ^^^ reference call
  return os.getenv("SHOP_HOME")
end

function M:restock(n)
--         ^^^^^^^ definition method M.restock
  self.count = n
--     ^^^^^ definition field M.count
  return self:late(n)
--            ^^^^ reference call -> M.late
end

M.late = function(n) return n end
--^^^^ definition method M.late

function start() return M.fill({}) end
--       ^^^^^ definition function start
--                        ^^^^ reference call -> M.fill

return M
