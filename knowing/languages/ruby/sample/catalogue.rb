# What the shop sells.
module Shop
#      ^^^^ definition namespace Shop
  # Anything that has a price.
  module Priced
#        ^^^^^^ definition trait Shop.Priced
    RATE = 2
#   ^^^^ definition constant Shop.Priced.RATE

    attr_writer :discount
#                ^^^^^^^^ definition field Shop.Priced.discount

    def price
#       ^^^^^ definition method Shop.Priced.price
      amount * RATE
#              ^^^^ reference read -> Shop.Priced.RATE
    end

    def free?
#       ^^^^^ definition method Shop.Priced.free?
      price.zero?
#     ^^^^^ reference call -> Shop.Priced.price
    end
  end

  class Item
#       ^^^^ definition class Shop.Item
    include Priced
#           ^^^^^^ reference implements -> Shop.Priced

    attr_reader :amount, :owner
#                ^^^^^^ definition field Shop.Item.amount
#                         ^^^^^ definition field Shop.Item.owner

    def initialize(amount, owner = nil)
#       ^^^^^^^^^^ definition constructor Shop.Item.initialize
      @amount = amount
#     ^^^^^^^ definition field Shop.Item.@amount
      @owner = owner
#     ^^^^^^ definition field Shop.Item.@owner
    end

    def <=>(other)
#       ^^^ definition method Shop.Item.<=>
      price <=> other.price
#     ^^^^^ reference call -> Shop.Priced.price
    end

    def restock!
#       ^^^^^^^^ definition method Shop.Item.restock!
      raise Empty, "no #{@amount}"
#           ^^^^^ reference throw -> Shop.Empty
    end
  end

  Empty = Class.new(StandardError)
# ^^^^^ definition class Shop.Empty

  Size = Struct.new(:width, :height) do
# ^^^^ definition class Shop.Size
#                    ^^^^^ definition field Shop.Size.width
#                            ^^^^^^ definition field Shop.Size.height
    def area
#       ^^^^ definition method Shop.Size.area
      width * height
#     ^^^^^ reference read -> Shop.Size.width
    end
  end
end

def lookup(name)
#   ^^^^^^ definition function lookup
  name
end
